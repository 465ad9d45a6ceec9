import type { PageTab } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { importTexts } from './texts.ts'

/** The parts of an import: its runs, and what they are made by. */
export function useImportTabs(id: number, openTab: 'runs' | 'settings'): PageTab[] {
  const t = useTranslator(importTexts)
  return [
    { label: t('runs'), to: `/imports/${id}`, isOpen: openTab === 'runs' },
    { label: t('settings'), to: `/imports/${id}/settings`, isOpen: openTab === 'settings' },
  ]
}
