import type { Footnote } from '../book/viewer'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { Floating } from './floating'

/** A note of the book, shown where it is called: as text, whatever the book wrote into it. */
export function FootnoteCard({
  note,
  box,
  onGo,
  onClose,
}: {
  note: Footnote
  box: DOMRect
  onGo(): void
  onClose(): void
}) {
  const t = useText()
  return (
    <Floating
      box={box}
      below
      role="dialog"
      label={t('footnote.title')}
      testId="footnote"
      focus
      onClose={onClose}
      className="grid w-96 gap-1 p-2"
    >
      <div className="grid max-h-72 gap-2 overflow-auto p-2 font-serif leading-relaxed">
        {note.text.split('\n\n').map((paragraph, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs neither move nor change
          <p key={n}>{paragraph}</p>
        ))}
      </div>
      <div className="flex justify-end gap-1">
        {note.span && (
          <Button kind="quiet" onClick={onGo}>
            {t('footnote.go')}
          </Button>
        )}
        <Button kind="quiet" onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
    </Floating>
  )
}
