import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHasRight } from '../../api/me.ts'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { developerTexts } from './texts.ts'

/** Around the parts for those who write programs. */
export function DevelopersPage({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const t = useTranslator(developerTexts)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isAdmin = useHasRight('admin')
  const createTab = (key: 'keys' | 'webhooks' | 'stream' | 'requests', to: string) => ({
    label: t(key),
    to,
    isOpen: path === to,
  })
  const pageTabs = [
    ...(isAdmin ? [createTab('keys', '/developers')] : []),
    createTab('webhooks', '/developers/webhooks'),
    createTab('stream', '/developers/stream'),
    ...(isAdmin ? [createTab('requests', '/developers/requests')] : []),
  ]
  const reference = (
    <a href="/docs" target="_blank" rel="noreferrer">
      {t('reference')}
    </a>
  )
  return (
    <ScreenPage title={t('title')} tabs={pageTabs} action={action} note={reference}>
      {children}
    </ScreenPage>
  )
}
