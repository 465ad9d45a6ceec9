import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../../api/me.ts'
import { Page } from '../../components/layout/Page.tsx'
import { useText } from '../../text/catalogue.ts'
import { developerTexts } from './texts.ts'

/** Around the parts for those who write programs. */
export function DevelopersPage({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const t = useText(developerTexts)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isAdmin = useMay('admin')
  const tab = (key: 'keys' | 'webhooks' | 'stream' | 'requests', to: string) => ({
    label: t(key),
    to,
    isOpen: path === to,
  })
  const tabs = [
    ...(isAdmin ? [tab('keys', '/developers')] : []),
    tab('webhooks', '/developers/webhooks'),
    tab('stream', '/developers/stream'),
    ...(isAdmin ? [tab('requests', '/developers/requests')] : []),
  ]
  const reference = (
    <a href="/docs" target="_blank" rel="noreferrer">
      {t('reference')}
    </a>
  )
  return (
    <Page title={t('title')} tabs={tabs} action={action} note={reference}>
      {children}
    </Page>
  )
}
