/** What answers remember of earlier conversations, to look at and to forget. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { send } from '../api/client'
import { queryClient } from '../api/queries'
import { memories } from '../api/settings'
import { useText } from '../i18n'
import { dayOf } from '../library/format'
import { IconButton } from '../ui/button'
import { Failed, Loading } from '../ui/states'
import { notifyError } from '../ui/toast'
import { Section } from './parts'

export function Memories() {
  const t = useText()
  const { data, error, refetch } = useQuery(memories())
  const forget = useMutation({
    mutationFn: (id: string) => send('DELETE', `/api/memory/${encodeURIComponent(id)}`),
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: memories().queryKey }),
  })
  return (
    <Section id="memories" title={t('settings.memories')} means={t('memories.means')}>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : data.memories.length === 0 ? (
        <p className="text-muted">{t('memories.none')}</p>
      ) : (
        <ul>
          {data.memories.map(one => (
            <li key={one.id} className="flex items-start gap-3 border-b border-line py-2">
              <div className="min-w-0 flex-1">
                <p>{one.text}</p>
                <p className="text-sm text-muted">
                  {[one.document?.title, dayOf(one.created)].filter(Boolean).join(' · ')}
                </p>
              </div>
              <IconButton
                label={t('memories.forget', { text: one.text })}
                disabled={forget.isPending}
                onClick={() => forget.mutate(one.id)}
              >
                <Trash2 size={16} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
