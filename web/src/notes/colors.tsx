import type { Color } from '../api/types'
import { useText } from '../i18n'
import { COLORS } from '../reader/colors'

/** The colours as switches: none pressed shows all. */
export function ColorFilter({ chosen, onChange }: { chosen: readonly Color[]; onChange(colors: Color[]): void }) {
  const t = useText()
  return (
    <fieldset className="flex" aria-label={t('note.colors')}>
      {COLORS.map(color => {
        const on = chosen.includes(color)
        const name = t('note.only', { color: t(`mark.${color}`) })
        return (
          <button
            key={color}
            type="button"
            aria-label={name}
            title={name}
            aria-pressed={on}
            onClick={() => onChange(on ? chosen.filter(c => c !== color) : [...chosen, color])}
            className="grid size-10 place-items-center rounded-md hover:bg-sunken aria-pressed:bg-accent-soft aria-pressed:ring-1 aria-pressed:ring-accent sm:size-9"
          >
            <span className="size-5 rounded-full border border-edge" style={{ background: `var(--mark-${color})` }} />
          </button>
        )
      })}
    </fieldset>
  )
}
