import { Button, Radio } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCurrentUser } from '../../api/me.ts'
import { FormLayout } from '../../components/form/FormLayout.tsx'
import { useDocumentForm } from '../../components/form/use-form.ts'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { ConnectionTest } from '../gateways/ConnectionTest.tsx'
import { GatewaySettingFields } from '../gateways/GatewayFields.tsx'
import { GatewayStateBadge } from '../gateways/GatewayStateBadge.tsx'
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
import { useGatewayLabels } from '../gateways/words.ts'
import styles from './SetUpPage.module.css'
import { type SaveBeforeNextStep, useSaveBeforeNextStep } from './save-first.ts'
import { SENDING_PRESETS, type SendingPreset } from './sending-presets.ts'
import { setUpTexts } from './texts.ts'

/** Kind of gateway that presets with a server are. */
const RELAY_KIND = 'smtp'
const DIRECT_KIND = 'smtp-direct'

function GatewayLine({ gateway }: { gateway: ApiGateway }) {
  const { person } = useCurrentUser()
  const { id, name } = gateway
  const gatewayLabels = useGatewayLabels()
  return (
    <>
      <div className={styles['row']}>
        <strong>{name}</strong>
        <small>{gatewayLabels.kind(gateway.kind)}</small>
        <GatewayStateBadge gateway={gateway} />
      </div>
      {person.operator && id !== null && <ConnectionTest id={id} />}
    </>
  )
}

interface RelayFormProps {
  kind: ApiGatewayKind
  preset: SendingPreset
  saveFirst: SaveBeforeNextStep
}

/** A relay, in its least form: what else can be set stands in the settings. */
function RelayForm({ kind, preset, saveFirst }: RelayFormProps) {
  const queryClient = useQueryClient()
  const t = useTranslator(setUpTexts)
  const [blankGateway] = useState(() => {
    const blank = createBlankGateway(kind)
    const name = preset.key === 'relay' ? '' : t(`preset_${preset.key}`)
    return { data: { ...blank, name, settings: { ...blank.settings, ...preset.smtp } }, etag: null }
  })
  const form = useDocumentForm<GatewayForm>({
    name: `gateway.new.${preset.key}`,
    stored: blankGateway,
    save: async (document) => {
      await createGatewayFromForm(document)
      await queryClient.invalidateQueries({ queryKey: ['gateways'] })
      return { data: omitGatewaySecrets(document), etag: null }
    },
    load: async () => blankGateway,
    kept: omitGatewaySecrets,
  })
  useSaveBeforeNextStep(saveFirst, form)
  return (
    <FormLayout form={form} pointers={listGatewayPointers(kind)}>
      <GatewaySettingFields form={form} kind={kind} isReadOnly={false} known={[]} />
    </FormLayout>
  )
}

function PresetDetails({ preset, saveFirst }: { preset: SendingPreset; saveFirst: SaveBeforeNextStep }) {
  const t = useTranslator(setUpTexts)
  const relayKind = useQuery(gatewayKindsQuery).data?.find(({ kind }) => kind === RELAY_KIND)
  if (preset.isMissing)
    return <p className={styles['notice']}>{t('signInMissing', { name: t(`preset_${preset.key}`) })}</p>
  if (preset.key === 'capture')
    return (
      <p className={styles['notice']}>
        {t('captureWhy')} <Link to="/captured">{t('capturedAll')}</Link>
      </p>
    )
  if (preset.key === 'direct')
    return (
      <div>
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/settings/gateways/new" search={{ kind: DIRECT_KIND }} {...props} />}
        >
          {t('directSetUp')}
        </Button>
      </div>
    )
  return relayKind ? (
    <RelayForm key={preset.key} kind={relayKind} preset={preset} saveFirst={saveFirst} />
  ) : (
    <LoadingSkeleton />
  )
}

/** One of the ways to send, with what it needs. */
function PresetChoice({ saveFirst }: { saveFirst: SaveBeforeNextStep }) {
  const t = useTranslator(setUpTexts)
  const [chosenKey, setChosenKey] = useState<SendingPreset['key']>('capture')
  const preset = SENDING_PRESETS.find(({ key }) => key === chosenKey)
  return (
    <>
      <Radio.Group
        aria-label={t('gateway')}
        value={chosenKey}
        onChange={(key) => setChosenKey(key as SendingPreset['key'])}
      >
        <div className={styles['presets']}>
          {SENDING_PRESETS.map(({ key }) => (
            <Radio.Card key={key} value={key} className={styles['preset']}>
              <Radio.Indicator size="xs" />
              <span>
                <strong>{t(`preset_${key}`)}</strong>
                <small>{t(`preset_${key}Why`)}</small>
              </span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      {preset && <PresetDetails preset={preset} saveFirst={saveFirst} />}
    </>
  )
}

/** Gateway that sends mail; without one, messages are captured. */
export function GatewayStep({ saveFirst }: { saveFirst: SaveBeforeNextStep }) {
  const t = useTranslator(setUpTexts)
  const { person } = useCurrentUser()
  const gatewayListQuery = useQuery(gatewaysQuery)
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
      {mailCarriers.length === 0 &&
        (person.operator ? (
          <PresetChoice saveFirst={saveFirst} />
        ) : (
          <>
            <p className={styles['notice']}>
              {t('captureWhy')} <Link to="/captured">{t('capturedAll')}</Link>
            </p>
            <p>{t('operatorOnly')}</p>
          </>
        ))}
    </>
  )
}
