import type { ReactNode } from 'react'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { campaignTexts } from './texts.ts'

const PARTS = [
  { key: 'campaigns', to: '/campaigns' },
  { key: 'display', to: '/display' },
  { key: 'placements', to: '/display/placements' },
] as const

interface Props {
  part: (typeof PARTS)[number]['key']
  action?: ReactNode
  children: ReactNode
}

/** A list of what is sent or shown, beside the others. */
export function MessagesPage({ part, action, children }: Props) {
  const t = useTranslator(campaignTexts)
  return (
    <ScreenPage
      title={t('messages')}
      action={action}
      tabs={PARTS.map(({ key, to }) => ({ label: t(key), to, isOpen: key === part }))}
    >
      {children}
    </ScreenPage>
  )
}
