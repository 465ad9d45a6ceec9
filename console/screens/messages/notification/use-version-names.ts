import { useText } from '../../../text/catalogue.ts'
import type { Version } from './notification-kind.ts'
import { notificationTexts } from './texts.ts'

/** What versions are called: by their name, else by their place; the main one says that it is. */
export function useVersionNames(versions: readonly Version[]): string[] {
  const t = useText(notificationTexts)
  return versions.map(({ name, master }, index) => {
    const own = name || t('other', { number: index + 1 })
    return master ? `${own} (${t('master')})` : own
  })
}
