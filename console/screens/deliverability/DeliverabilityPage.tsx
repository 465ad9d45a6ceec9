import { Link, useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHasRight } from '../../api/me.ts'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { layoutTexts } from '../../layout/texts.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { deliverabilityTexts } from './texts.ts'

const DETAIL_PAGES = [
  { key: 'queues', to: '/deliverability/queues', right: 'admin' },
  { key: 'held', to: '/deliverability/held', right: 'send' },
] as const

/** Around the pages of deliverability: how mail fares, what waits, what is in doubt, domains. */
export function DeliverabilityPage({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const [t, layoutT] = [useTranslator(deliverabilityTexts), useTranslator(layoutTexts)]
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const detailPage = DETAIL_PAGES.find(({ to }) => to === path)
  const isDomains = path === '/deliverability/domains'
  const parent = isDomains
    ? { label: layoutT('settings'), to: '/settings' }
    : detailPage && { label: t('title'), to: '/deliverability' }
  return (
    <ScreenPage
      title={t(isDomains ? 'domains' : (detailPage?.key ?? 'title'))}
      {...(parent && { parent })}
      action={action}
    >
      {children}
    </ScreenPage>
  )
}

/** Links to what is looked up less often: queues, and messages in doubt. */
export function DeliverabilityDetails() {
  const t = useTranslator(deliverabilityTexts)
  const hasRights = { admin: useHasRight('admin'), send: useHasRight('send') }
  const pages = DETAIL_PAGES.filter(({ right }) => hasRights[right])
  if (pages.length === 0) return null
  return (
    <PagePanel title={t('details')}>
      <ul className={styles['details']}>
        {pages.map(({ key, to }) => (
          <li key={key}>
            <Link to={to}>{t(key)}</Link>
            <small>{t(`${key}EmptyWhy`)}</small>
          </li>
        ))}
      </ul>
    </PagePanel>
  )
}
