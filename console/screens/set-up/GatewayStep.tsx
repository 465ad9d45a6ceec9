import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { FormFrame } from '../../components/form/FormFrame.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { useText } from '../../text/catalogue.ts'
import { ConnectionTest } from '../gateways/ConnectionTest.tsx'
import { GatewaySettings } from '../gateways/GatewayFields.tsx'
import {
  blankOf,
  type Gateway,
  type GatewayDocument,
  gatewaysQuery,
  type Kind,
  kindsQuery,
  makeGateway,
  pointersOfKind,
  withoutSecrets,
} from '../gateways/model.ts'
import styles from './SetUp.module.css'
import { setUpTexts } from './texts.ts'

/** The kind of gateway that set-up begins with. */
const RELAY = 'smtp'

function Line({ gateway: { id, name, kind } }: { gateway: Gateway }) {
  const t = useText(setUpTexts)
  const { person } = useMe()
  return (
    <>
      <div className={styles['row']}>
        <strong>{name}</strong>
        <small>{kind}</small>
        <Badge tone="good">{t('carries')}</Badge>
      </div>
      {person.operator && id !== null && <ConnectionTest id={id} />}
    </>
  )
}

/** A relay, in its least form: what else can be set stands in the settings. */
function RelayForm({ kind }: { kind: Kind }) {
  const t = useText(setUpTexts)
  const queries = useQueryClient()
  const [blank] = useState(() => ({ data: blankOf(kind), etag: null }))
  const form = useForm<GatewayDocument>({
    name: `gateway.new.${kind.kind}`,
    stored: blank,
    save: async (document) => {
      await makeGateway(document)
      await queries.invalidateQueries({ queryKey: ['gateways'] })
      return { data: withoutSecrets(document), etag: null }
    },
    load: async () => blank,
    kept: withoutSecrets,
  })
  return (
    <FormFrame form={form} pointers={pointersOfKind(kind)}>
      <GatewaySettings form={form} kind={kind} isReadOnly={false} known={[]} />
      <small>
        <Link to="/settings/gateways/new">{t('gatewayOther')}</Link>
      </small>
    </FormFrame>
  )
}

/** What carries mail; without it, messages are captured. */
export function GatewayStep() {
  const t = useText(setUpTexts)
  const { person } = useMe()
  const read = useQuery(gatewaysQuery)
  const relay = useQuery(kindsQuery).data?.find(({ kind }) => kind === RELAY)
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton />
  const carrying = read.data.filter(({ channel, carries }) => channel === 'email' && carries)
  return (
    <>
      <p>{t('gatewayWhy')}</p>
      {carrying.map((gateway) => (
        <Line key={gateway.id ?? gateway.name} gateway={gateway} />
      ))}
      {carrying.length === 0 && (
        <p className={styles['notice']}>
          {t('captureWhy')} <Link to="/captured">{t('capturedAll')}</Link>
        </p>
      )}
      {carrying.length === 0 && (person.operator ? relay && <RelayForm kind={relay} /> : <p>{t('operatorOnly')}</p>)}
    </>
  )
}
