import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '../../api/me.ts'
import { FormLayout } from '../../components/form/FormLayout.tsx'
import { useDocumentForm } from '../../components/form/use-form.ts'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { ConnectionTest } from '../gateways/ConnectionTest.tsx'
import { GatewaySettingFields } from '../gateways/GatewayFields.tsx'
import {
  type ApiGateway,
  type ApiGatewayKind,
  createBlankGateway,
  createGatewayFromForm,
  type GatewayForm,
  gatewayKindsQuery,
  gatewaysQuery,
  listGatewayPointers,
  omitGatewaySecrets,
} from '../gateways/model.ts'
import styles from './SetUpPage.module.css'
import { setUpTexts } from './texts.ts'

/** The kind of gateway that set-up begins with. */
const RELAY_KIND = 'smtp'

function GatewayLine({ gateway: { id, name, kind } }: { gateway: ApiGateway }) {
  const t = useTranslator(setUpTexts)
  const { person } = useCurrentUser()
  return (
    <>
      <div className={styles['row']}>
        <strong>{name}</strong>
        <small>{kind}</small>
        <StateBadge tone="good">{t('carries')}</StateBadge>
      </div>
      {person.operator && id !== null && <ConnectionTest id={id} />}
    </>
  )
}

/** A relay, in its least form: what else can be set stands in the settings. */
function RelayForm({ kind }: { kind: ApiGatewayKind }) {
  const t = useTranslator(setUpTexts)
  const queryClient = useQueryClient()
  const [blankGateway] = useState(() => ({ data: createBlankGateway(kind), etag: null }))
  const form = useDocumentForm<GatewayForm>({
    name: `gateway.new.${kind.kind}`,
    stored: blankGateway,
    save: async (document) => {
      await createGatewayFromForm(document)
      await queryClient.invalidateQueries({ queryKey: ['gateways'] })
      return { data: omitGatewaySecrets(document), etag: null }
    },
    load: async () => blankGateway,
    kept: omitGatewaySecrets,
  })
  return (
    <FormLayout form={form} pointers={listGatewayPointers(kind)}>
      <GatewaySettingFields form={form} kind={kind} isReadOnly={false} known={[]} />
      <small>
        <Link to="/settings/gateways/new">{t('gatewayOther')}</Link>
      </small>
    </FormLayout>
  )
}

/** Gateway that sends mail; without one, messages are captured. */
export function GatewayStep() {
  const t = useTranslator(setUpTexts)
  const { person } = useCurrentUser()
  const gatewayListQuery = useQuery(gatewaysQuery)
  const relayKind = useQuery(gatewayKindsQuery).data?.find(({ kind }) => kind === RELAY_KIND)
  if (gatewayListQuery.error)
    return <ProblemAlert error={gatewayListQuery.error} onRetry={() => void gatewayListQuery.refetch()} />
  if (!gatewayListQuery.data) return <LoadingSkeleton />
  const mailCarriers = gatewayListQuery.data.filter(({ channel, carries }) => channel === 'email' && carries)
  return (
    <>
      <p>{t('gatewayWhy')}</p>
      {mailCarriers.map((gateway) => (
        <GatewayLine key={gateway.id ?? gateway.name} gateway={gateway} />
      ))}
      {mailCarriers.length === 0 && (
        <p className={styles['notice']}>
          {t('captureWhy')} <Link to="/captured">{t('capturedAll')}</Link>
        </p>
      )}
      {mailCarriers.length === 0 &&
        (person.operator ? relayKind && <RelayForm kind={relayKind} /> : <p>{t('operatorOnly')}</p>)}
    </>
  )
}
