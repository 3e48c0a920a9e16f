import { Check } from 'lucide-react'
import type { Color } from '../api/types'
import { useText } from '../i18n'

export const COLORS: readonly Color[] = ['yellow', 'green', 'blue', 'red', 'purple']
const GROUNDS: Record<Color, string> = {
  yellow: 'bg-(--mark-yellow)',
  green: 'bg-(--mark-green)',
  blue: 'bg-(--mark-blue)',
  red: 'bg-(--mark-red)',
  purple: 'bg-(--mark-purple)',
}

/** The five colours of a highlight as buttons; their names are for who cannot tell them apart. */
export function Colors({ chosen, onChoose }: { chosen?: Color; onChoose(color: Color): void }) {
  const t = useText()
  return (
    <div className="flex">
      {COLORS.map(color => {
        const name = t('mark.set', { color: t(`mark.${color}`) })
        return (
          <button
            key={color}
            type="button"
            aria-label={name}
            title={name}
            aria-pressed={chosen === undefined ? undefined : chosen === color}
            onClick={() => onChoose(color)}
            className="grid size-10 place-items-center rounded-md hover:bg-sunken"
          >
            <span className={`grid size-6 place-items-center rounded-full border border-edge ${GROUNDS[color]}`}>
              {chosen === color && <Check size={14} aria-hidden />}
            </span>
          </button>
        )
      })}
    </div>
  )
}
