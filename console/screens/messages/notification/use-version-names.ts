import { useTranslator } from '../../../text/catalogue.ts'
import type { NotificationVersionForm } from './notification-kind.ts'
import { notificationTexts } from './texts.ts'

/** What versions are called: by their name, else by their place; the main one says that it is. */
export function useVersionNames(versions: readonly NotificationVersionForm[]): string[] {
  const t = useTranslator(notificationTexts)
  return versions.map(({ name, master }, index) => {
    const own = name || t('other', { number: index + 1 })
    return master ? `${own} (${t('master')})` : own
  })
}
