import type { ReactNode } from 'react'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { campaignTexts } from './texts.ts'

const DISPLAY_TABS = [
  { key: 'display', to: '/display' },
  { key: 'placements', to: '/display/placements' },
] as const

interface Props {
  part: 'campaigns' | (typeof DISPLAY_TABS)[number]['key']
  action?: ReactNode
  children: ReactNode
}

/** List of campaign groups, or of what is displayed on sites, with tabs for its two lists. */
export function MessagesPage({ part, action, children }: Props) {
  const t = useTranslator(campaignTexts)
  const displayTabs = DISPLAY_TABS.map(({ key, to }) => ({ label: t(key), to, isOpen: key === part }))
  return (
    <ScreenPage
      title={t(part === 'campaigns' ? 'campaigns' : 'display')}
      action={action}
      tabs={part === 'campaigns' ? [] : displayTabs}
    >
      {children}
    </ScreenPage>
  )
}
