import { useTranslator } from '../../../text/catalogue.ts'
import type { NotificationVersionForm } from './notification-kind.ts'
import { notificationTexts } from './texts.ts'

/** Labels of versions: their name or else their number; the main version is marked as such. */
export function useVersionNames(versions: readonly NotificationVersionForm[]): string[] {
  const t = useTranslator(notificationTexts)
  return versions.map(({ name, master }, index) => {
    const versionName = name || t('other', { number: index + 1 })
    return master ? `${versionName} (${t('master')})` : versionName
  })
}
