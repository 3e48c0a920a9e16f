import type { Locator } from '../api/types'
import { useText } from '../i18n'

/** Where a passage stands: the titles above it, and its page as printed. */
export function Place({ locator, title }: { locator: Locator; title?: string }) {
  const t = useText()
  const page = locator.page_label ?? locator.page
  const steps = [title, ...(locator.section?.path ?? [])].filter((one): one is string => !!one)
  return (
    <>
      <span className="min-w-0">{steps.join(' › ')}</span>
      {page !== null && <span className="shrink-0 whitespace-nowrap">{t('search.page', { page })}</span>}
    </>
  )
}
