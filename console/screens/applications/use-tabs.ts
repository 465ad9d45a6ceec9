import type { PageTab } from '../../components/layout/ScreenPage.tsx'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { applicationTexts } from './texts.ts'

/** The two parts of an application: what it is, and how devices register. */
export function useApplicationTabs(id: string, openTab: 'settings' | 'connect'): PageTab[] {
  const t = useTranslator(applicationTexts)
  const path = objectPaths.application(id)
  return [
    { label: t('settings'), to: path, isOpen: openTab === 'settings' },
    { label: t('connect'), to: `${path}/connect`, isOpen: openTab === 'connect' },
  ]
}
