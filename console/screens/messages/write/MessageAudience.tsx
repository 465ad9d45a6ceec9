import { useSegments } from '../../../api/definitions.ts'
import { useCancellationLabel } from '../../../components/cancellations/cancellations.ts'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { MultiChoiceField } from '../../../components/form/MultiChoiceField.tsx'
import type { FormState } from '../../../components/form/use-form.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { FactList, type LabelledFact, PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StatFigure, StatFigures } from '../../../components/layout/StatFigure.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { messageTexts } from '../texts.ts'
import type { AudienceCount, EditedMessage, MessageChannelSpec } from './channel.ts'
import { useMessageAudience } from './use-audience.ts'

interface Props {
  channel: MessageChannelSpec
  form: FormState<EditedMessage>
  isReadOnly: boolean
}

/** Reasons that exclude contacts from a sending, each with its count. */
export function ExcludedContacts({ count }: { count: AudienceCount }) {
  const t = useTranslator(messageTexts)
  const cancelled = useCancellationLabel()
  const format = useLocaleFormat()
  const segments = useSegments()
  const findSegmentName = (id: number): string =>
    segments.data?.find((segment) => segment.id === id)?.name ?? String(id)
  const exclusionDetails: LabelledFact[] = [
    ...(count.excluded > 0
      ? [{ key: 'excluded', label: t('minus'), value: <FormattedNumber value={count.excluded} /> }]
      : []),
    ...count.cannot.map(({ type, count: value }) => {
      return { key: type, label: cancelled(type), value: <FormattedNumber value={value} /> }
    }),
    ...(count.pressure.stopped > 0
      ? [{ key: 'pressure', label: t('pressure'), value: <FormattedNumber value={count.pressure.stopped} /> }]
      : []),
  ]
  return (
    <>
      {exclusionDetails.length > 0 && (
        <PagePanel title={t('without')}>
          <FactList facts={exclusionDetails} />
        </PagePanel>
      )}
      {count.overlaps.length > 0 && (
        <PagePanel title={t('overlaps')}>
          <FactList
            facts={count.overlaps.map(({ segments: both, count: value }) => ({
              key: both.join(' '),
              label: format.list(both.map(findSegmentName)),
              value: <FormattedNumber value={value} />,
            }))}
          />
          <small>{t('overlapsWhy')}</small>
        </PagePanel>
      )}
    </>
  )
}

function AudienceSummary({ channel, message }: { channel: MessageChannelSpec; message: EditedMessage }) {
  const t = useTranslator(messageTexts)
  const audience = useMessageAudience(channel, message)
  if (audience.error) return <ProblemAlert error={audience.error} onRetry={() => void audience.refetch()} />
  if (audience.isLoading) return <LoadingSkeleton lines={[40, 60]} />
  if (!audience.data) return null
  const { net, selected, exact } = audience.data
  return (
    <>
      <StatFigures>
        <StatFigure label={t('net')} definition={t('netWhy')} {...(!exact && { note: t('estimated') })}>
          <FormattedNumber value={net} />
        </StatFigure>
        <StatFigure label={t('selected')} definition={t('selectedWhy')}>
          <FormattedNumber value={selected} />
        </StatFigure>
      </StatFigures>
      <ExcludedContacts count={audience.data} />
    </>
  )
}

/** Recipients: the included segments minus the excluded ones, their number, and why the others are left out. */
export function MessageAudience({ channel, form, isReadOnly }: Props) {
  const t = useTranslator(messageTexts)
  const segments = useSegments()
  if (!channel.isCampaign(form.value)) return <EmptyState title={t('onDemand')}>{t('onDemandAudience')}</EmptyState>
  const segmentChoices = (segments.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const fieldProps = { form, isReadOnly, isNumber: true, choices: segmentChoices } as const
  return (
    <>
      <MultiChoiceField
        {...fieldProps}
        at={`${channel.segmentsAt}/selected`}
        label={t('segments')}
        help={t('segmentsWhy')}
      />
      <MultiChoiceField {...fieldProps} at={`${channel.segmentsAt}/excluded`} label={t('minus')} help={t('minusWhy')} />
      <AudienceSummary channel={channel} message={form.value} />
    </>
  )
}
