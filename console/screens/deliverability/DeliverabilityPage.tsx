import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHasRight } from '../../api/me.ts'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { deliverabilityTexts } from './texts.ts'

/** Around the parts of deliverability: how mail fares, what waits, what is in doubt, domains. */
export function DeliverabilityPage({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const t = useTranslator(deliverabilityTexts)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [isAdmin, canSend] = [useHasRight('admin'), useHasRight('send')]
  const createTab = (key: 'destinations' | 'queues' | 'held' | 'domains', to: string) => ({
    label: t(key),
    to,
    isOpen: path === to,
  })
  const pageTabs = [
    createTab('destinations', '/deliverability'),
    ...(isAdmin ? [createTab('queues', '/deliverability/queues')] : []),
    ...(canSend ? [createTab('held', '/deliverability/held')] : []),
    createTab('domains', '/deliverability/domains'),
  ]
  return (
    <ScreenPage title={t('title')} tabs={pageTabs} action={action}>
      {children}
    </ScreenPage>
  )
}
