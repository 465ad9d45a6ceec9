import { SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { accountId } from '../../api/client.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { useStoredDocument } from '../../components/form/use-resource.ts'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './ApplicationsPage.module.css'
import { type ApplicationForm, applicationResource } from './application-kind.ts'
import { androidSnippet, curlSnippet, iosSnippet, serverSnippet, webSnippet } from './snippets.ts'
import { applicationTexts } from './texts.ts'
import { useApplicationTabs } from './use-tabs.ts'

const route = getRouteApi('/settings/applications/$id/connect')

const PLATFORMS = [
  { key: 'android', provider: 'firebase', words: 'androidWhy' },
  { key: 'ios', provider: 'apns', words: 'iosWhy' },
  { key: 'web', provider: 'webpush', words: 'webWhy' },
] as const

const SNIPPETS = { android: androidSnippet, ios: iosSnippet, web: webSnippet }

/** URL at which the devices of the account register: `ACME001` is customer 001 of the agency ACME. */
function buildDeviceRoute(): string {
  const code = accountId ?? ''
  return `${location.origin}/api/v1.0/${code.slice(0, 4)}/${code.slice(4)}/subscriptions`
}

function ConnectSnippets({ application }: { application: ApplicationForm }) {
  const t = useTranslator(applicationTexts)
  const { id, providers, registration } = application
  const hasProvider = (type: string): boolean => providers.some((provider) => provider.type === type)
  const [chosenPlatform, setChosen] = useState<string>(
    PLATFORMS.find(({ provider }) => hasProvider(provider))?.key ?? 'android',
  )
  const { key, provider, words } = PLATFORMS.find((platform) => platform.key === chosenPlatform) ?? PLATFORMS[0]
  const publicKey = providers.find(({ type }) => type === 'webpush')?.['publicKey']
  const isProven = registration.proof === 'required'
  const snippetInput = {
    url: buildDeviceRoute(),
    application: id,
    isProven,
    publicKey: typeof publicKey === 'string' ? publicKey : null,
  }
  return (
    <div className={styles['parts']}>
      <p className={styles['words']}>{t('connectWhy')}</p>
      {!registration.open && <p className={styles['words']}>{t('closedWhy')}</p>}
      <CodeBlock code={`PUT ${snippetInput.url}`} label={t('route')} wrap />
      {isProven && (
        <>
          <p className={styles['words']}>{t('signedWhy')}</p>
          <CodeBlock code={serverSnippet(snippetInput)} label={t('server')} />
        </>
      )}
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('platform')}
        data={PLATFORMS.map((platform) => ({ value: platform.key, label: t(platform.key) }))}
        value={chosenPlatform}
        onChange={setChosen}
      />
      {!hasProvider(provider) && <p className={styles['words']}>{t('providerMissing', { provider: t(provider) })}</p>}
      <p className={styles['words']}>{t(words)}</p>
      <CodeBlock code={SNIPPETS[key](snippetInput)} label={t(key)} />
      <h2>{t('try')}</h2>
      <p className={styles['words']}>{t('tryWhy')}</p>
      <CodeBlock code={curlSnippet(snippetInput)} label={t('command')} />
    </div>
  )
}

/** Device registration for apps and sites: code to copy, with the addresses of this service. */
export function ConnectAppPage() {
  const t = useTranslator(applicationTexts)
  const { id } = route.useParams()
  const tabs = useApplicationTabs(id, 'connect')
  const parent = { label: t('applications'), to: '/settings/applications' }
  return (
    <DocumentLoader read={useStoredDocument(applicationResource, id)} title={t('application')} parent={parent}>
      {({ data: application }) => (
        <ScreenPage
          title={application.name}
          parent={parent}
          tabs={tabs}
          badge={
            <StateBadge tone={application.active ? 'good' : 'neutral'}>
              {t(application.active ? 'active' : 'inactive')}
            </StateBadge>
          }
        >
          <ConnectSnippets application={application} />
        </ScreenPage>
      )}
    </DocumentLoader>
  )
}
