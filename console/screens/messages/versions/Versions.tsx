import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { FieldGroup, NumberField } from '../../../components/form/fields.tsx'
import type { Form } from '../../../components/form/use-form.ts'
import { Empty } from '../../../components/layout/Empty.tsx'
import { tell } from '../../../layout/toasts.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Channel, Message } from '../write/channel.ts'
import { useAudience } from '../write/use-audience.ts'
import {
  EXPERIMENT_AT,
  type Experiment,
  experimentOf,
  LEAST_VERSIONS,
  MOST_VERSIONS,
  newExperiment,
  ownOf,
  versionForm,
  withVersion,
} from './experiment.ts'
import { Goal } from './Goal.tsx'
import { obstaclesOf } from './obstacles.ts'
import { Rules } from './Rules.tsx'
import { Shares } from './Shares.tsx'
import { versionTexts } from './texts.ts'
import styles from './Versions.module.css'

interface Props {
  channel: Channel
  form: Form<Message>
  isReadOnly: boolean
  /** The id of the version that is open, as the address has it. */
  version: string | undefined
  onVersion(id: string | undefined): void
}

/** Which version of an experiment is open: the first, unless the address names another. */
export const openVersion = ({ versions }: Experiment, id: string | undefined): number =>
  Math.max(
    versions.findIndex((one) => one.id === id),
    0,
  )

/** What the service would refuse, said before. */
function Obstacles({ channel, message }: { channel: Channel; message: Message }) {
  const t = useText(versionTexts)
  const audience = useAudience(channel, message)
  const obstacles = obstaclesOf(channel, message, audience.data?.net)
  return obstacles.map(({ key, isFault, values }) => (
    <p key={key} role={isFault ? 'alert' : 'status'} className={styles['obstacle']} data-fault={isFault || undefined}>
      {t(key, values)}
    </p>
  ))
}

function Choice({ form, isReadOnly, experiment, index, onVersion }: Props & Chosen) {
  const t = useText(versionTexts)
  const { versions } = experiment
  const at = `${EXPERIMENT_AT}/versions`
  return (
    <div className={styles['line']}>
      <SegmentedControl
        size="xs"
        aria-label={t('version')}
        data={versions.map(({ id }) => ({ value: id, label: t('versionOf', { version: id.toUpperCase() }) }))}
        value={versions[index]!.id}
        onChange={onVersion}
      />
      {!isReadOnly && versions.length < MOST_VERSIONS && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            const next = withVersion(versions)
            form.set(at, next)
            onVersion(next.at(-1)!.id)
          }}
        >
          {t('addVersion')}
        </Button>
      )}
      {!isReadOnly && versions.length > LEAST_VERSIONS && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={() => {
            const before = form.value
            form.set(at, versions.toSpliced(index, 1))
            onVersion(undefined)
            tell(t('removed', { version: versions[index]!.id.toUpperCase() }), () => form.change(before))
          }}
        >
          {t('removeVersion', { version: versions[index]!.id.toUpperCase() })}
        </Button>
      )}
    </div>
  )
}

interface Chosen {
  experiment: Experiment
  index: number
}

/** One version: its share, and what it has in place of the campaign's content. */
function One({ channel, form, isReadOnly, experiment, index }: Props & Chosen) {
  const t = useText(versionTexts)
  const version = experiment.versions[index]!
  const { Fields } = channel.versions!
  const at = `${EXPERIMENT_AT}/versions/${index}`
  const own = Object.keys(ownOf(version))
  return (
    <FieldGroup>
      <NumberField
        {...{ form, isReadOnly, min: 0, max: 100, unit: '%' }}
        at={`${at}/share`}
        label={t('share')}
        help={t('shareWhy')}
      />
      <div className={styles['line']}>
        <small>{t(own.length === 0 ? 'sameAsCampaign' : 'ownContent')}</small>
        {own.length > 0 && !isReadOnly && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => form.set(at, { id: version.id, share: version.share })}
          >
            {t('backToCampaign')}
          </Button>
        )}
      </div>
      <Fields key={version.id} form={versionForm(channel, form, index) as never} isReadOnly={isReadOnly} />
    </FieldGroup>
  )
}

/** Versions of a campaign against each other: their contents and shares, who is held out, and how it is decided. */
export function Versions(props: Props) {
  const { channel, form, isReadOnly, version, onVersion } = props
  const t = useText(versionTexts)
  const experiment = experimentOf(form.value)
  if (!experiment)
    return (
      <>
        <Empty title={t('empty')}>{t('emptyWhy')}</Empty>
        {!isReadOnly && (
          <div>
            <Button variant="default" onClick={() => form.set(EXPERIMENT_AT, newExperiment())}>
              {t('begin')}
            </Button>
          </div>
        )}
      </>
    )
  const chosen = { ...props, experiment, index: openVersion(experiment, version) }
  return (
    <>
      <Obstacles channel={channel} message={form.value} />
      <Shares channel={channel} message={form.value} experiment={experiment} />
      <Choice {...chosen} />
      <One {...chosen} />
      <Rules {...{ channel, form, isReadOnly, experiment }} />
      <Goal {...{ form, isReadOnly, experiment }} />
      {!isReadOnly && (
        <div>
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              form.set(EXPERIMENT_AT, null)
              onVersion(undefined)
              tell(t('withoutDone'), () => form.set(EXPERIMENT_AT, experiment))
            }}
          >
            {t('without')}
          </Button>
        </div>
      )}
    </>
  )
}
