import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { developerTexts } from './texts.ts'

const DEVELOPER_PARTS = [
  { key: 'keys', to: '/developers' },
  { key: 'webhooks', to: '/developers/webhooks' },
  { key: 'stream', to: '/developers/stream' },
  { key: 'requests', to: '/developers/requests' },
] as const

/** One page for those who write programs, named for its part. */
export function DevelopersPage({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const t = useTranslator(developerTexts)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const openPart = DEVELOPER_PARTS.find(({ to }) => to === path)
  return (
    <ScreenPage
      title={t(openPart?.key ?? 'title')}
      {...(path !== '/developers' && { parent: { label: t('title'), to: '/developers' } })}
      action={action}
    >
      {children}
    </ScreenPage>
  )
}
