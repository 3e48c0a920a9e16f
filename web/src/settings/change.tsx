/** One setting of the server that can be set here, kept when it is left or entered. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryClient } from '../api/queries'
import { type Setting, setSetting, settings } from '../api/settings'
import { useText } from '../i18n'
import { Choice, Field } from '../ui/field'
import { notify, notifyError } from '../ui/toast'

/** The settings in force by their names; null until they are known. */
export function useSettings() {
  const found = useQuery(settings())
  return { ...found, byKey: found.data ? new Map(found.data.settings.map(one => [one.key, one])) : null }
}

export function useSet() {
  const t = useText()
  return useMutation({
    mutationFn: ({ key, value }: { key: string; value: string }) => setSetting(key, value),
    onSuccess: () => notify(t('settings.kept')),
    onError: notifyError,
    onSettled: () =>
      Promise.all([settings().queryKey, ['models']].map(queryKey => queryClient.invalidateQueries({ queryKey }))),
  })
}

/** Where a value comes from, when a person might wonder why it does not change. */
export function Source({ of }: { of: Setting }) {
  const t = useText()
  if (of.source !== 'environment' && of.source !== 'command line') return null
  return <p className="pt-1 text-sm text-warn">{t('settings.fixed', { source: of.source })}</p>
}

export function TextSetting({ of, label, placeholder = '' }: { of: Setting; label: string; placeholder?: string }) {
  const set = useSet()
  const kept = of.value === null ? '' : String(of.value)
  const [value, setValue] = useState(kept)
  useEffect(() => setValue(kept), [kept])
  const keep = () => {
    if (value.trim() && value.trim() !== kept) set.mutate({ key: of.key, value: value.trim() })
    else setValue(kept)
  }
  return (
    <form
      className="w-full sm:w-72"
      onSubmit={event => {
        event.preventDefault()
        keep()
      }}
    >
      <Field
        label={label}
        hidden
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        disabled={!of.writable || set.isPending}
        onChange={event => setValue(event.target.value)}
        onBlur={keep}
      />
      <Source of={of} />
    </form>
  )
}

export function ChoiceSetting(it: { of: Setting; label: string; options: readonly (readonly [string, string])[] }) {
  const set = useSet()
  return (
    <div className="w-full sm:w-72">
      <Choice
        label={it.label}
        hidden
        options={it.options}
        disabled={!it.of.writable || set.isPending}
        value={it.of.value === null ? '' : String(it.of.value)}
        onChange={event => set.mutate({ key: it.of.key, value: event.target.value })}
      />
      <Source of={it.of} />
    </div>
  )
}
