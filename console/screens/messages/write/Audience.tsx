import { useSegments } from '../../../api/definitions.ts'
import { useCancellation } from '../../../components/cancellations/cancellations.ts'
import { ManyField } from '../../../components/form/ManyField.tsx'
import type { Form } from '../../../components/form/use-form.ts'
import { Empty } from '../../../components/layout/Empty.tsx'
import { type Fact, Facts, Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { Stat, Stats } from '../../../components/layout/Stat.tsx'
import { Num } from '../../../components/Num.tsx'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import { messageTexts } from '../texts.ts'
import type { AudienceCount, Channel, Message } from './channel.ts'
import { useAudience } from './use-audience.ts'

interface Props {
  channel: Channel
  form: Form<Message>
  isReadOnly: boolean
}

/** What takes contacts away from the sending, each with its number. */
function Away({ count }: { count: AudienceCount }) {
  const t = useText(messageTexts)
  const cancelled = useCancellation()
  const format = useFormat()
  const segments = useSegments()
  const nameOf = (id: number): string => segments.data?.find((one) => one.id === id)?.name ?? String(id)
  const facts: Fact[] = [
    ...(count.excluded > 0 ? [{ key: 'excluded', label: t('minus'), value: <Num value={count.excluded} /> }] : []),
    ...count.cannot.map(({ type, count: value }) => {
      return { key: type, label: cancelled(type), value: <Num value={value} /> }
    }),
    ...(count.pressure.stopped > 0
      ? [{ key: 'pressure', label: t('pressure'), value: <Num value={count.pressure.stopped} /> }]
      : []),
  ]
  return (
    <>
      {facts.length > 0 && (
        <Panel title={t('without')}>
          <Facts facts={facts} />
        </Panel>
      )}
      {count.overlaps.length > 0 && (
        <Panel title={t('overlaps')}>
          <Facts
            facts={count.overlaps.map(({ segments: both, count: value }) => ({
              key: both.join(' '),
              label: format.list(both.map(nameOf)),
              value: <Num value={value} />,
            }))}
          />
          <small>{t('overlapsWhy')}</small>
        </Panel>
      )}
    </>
  )
}

function Count({ channel, message }: { channel: Channel; message: Message }) {
  const t = useText(messageTexts)
  const audience = useAudience(channel, message)
  if (audience.error) return <Problem error={audience.error} onRetry={() => void audience.refetch()} />
  if (audience.isLoading) return <Skeleton lines={[40, 60]} />
  if (!audience.data) return null
  const { net, selected, exact } = audience.data
  return (
    <>
      <Stats>
        <Stat label={t('net')} definition={t('netWhy')} {...(!exact && { note: t('estimated') })}>
          <Num value={net} />
        </Stat>
        <Stat label={t('selected')} definition={t('selectedWhy')}>
          <Num value={selected} />
        </Stat>
      </Stats>
      <Away count={audience.data} />
    </>
  )
}

/** Who gets it: segments, minus others; how many that are, and why the others do not. */
export function Audience({ channel, form, isReadOnly }: Props) {
  const t = useText(messageTexts)
  const segments = useSegments()
  if (!channel.isCampaign(form.value)) return <Empty title={t('onDemand')}>{t('onDemandAudience')}</Empty>
  const choices = (segments.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const own = { form, isReadOnly, isNumber: true, choices } as const
  return (
    <>
      <ManyField {...own} at={`${channel.segmentsAt}/selected`} label={t('segments')} help={t('segmentsWhy')} />
      <ManyField {...own} at={`${channel.segmentsAt}/excluded`} label={t('minus')} help={t('minusWhy')} />
      <Count channel={channel} message={form.value} />
    </>
  )
}
