import type { Tab } from '../../components/layout/Page.tsx'
import { pathOf } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { applicationTexts } from './texts.ts'

/** The two parts of an application: what it is, and how devices register. */
export function useTabs(id: string, open: 'settings' | 'connect'): Tab[] {
  const t = useText(applicationTexts)
  const path = pathOf.application(id)
  return [
    { label: t('settings'), to: path, isOpen: open === 'settings' },
    { label: t('connect'), to: `${path}/connect`, isOpen: open === 'connect' },
  ]
}
