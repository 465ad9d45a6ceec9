import type { Tab } from '../../components/layout/Page.tsx'
import { useText } from '../../text/catalogue.ts'
import { importTexts } from './texts.ts'

/** The parts of an import: its runs, and what they are made by. */
export function useImportTabs(id: number, open: 'runs' | 'settings'): Tab[] {
  const t = useText(importTexts)
  return [
    { label: t('runs'), to: `/imports/${id}`, isOpen: open === 'runs' },
    { label: t('settings'), to: `/imports/${id}/settings`, isOpen: open === 'settings' },
  ]
}
