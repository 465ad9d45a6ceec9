import type { ReactNode } from 'react'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { campaignTexts } from './texts.ts'

const MESSAGE_TABS = [
  { key: 'campaigns', to: '/campaigns' },
  { key: 'display', to: '/display' },
  { key: 'placements', to: '/display/placements' },
] as const

interface Props {
  part: (typeof MESSAGE_TABS)[number]['key']
  action?: ReactNode
  children: ReactNode
}

/** List of sent or displayed messages of one kind, with tabs for the others. */
export function MessagesPage({ part, action, children }: Props) {
  const t = useTranslator(campaignTexts)
  return (
    <ScreenPage
      title={t('messages')}
      action={action}
      tabs={MESSAGE_TABS.map(({ key, to }) => ({ label: t(key), to, isOpen: key === part }))}
    >
      {children}
    </ScreenPage>
  )
}
