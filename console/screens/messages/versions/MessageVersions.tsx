import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { FieldGroup, NumberField } from '../../../components/form/fields.tsx'
import type { FormState } from '../../../components/form/use-form.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { EditedMessage, MessageChannelSpec } from '../write/channel.ts'
import { useMessageAudience } from '../write/use-audience.ts'
import { ExperimentGoalFields } from './ExperimentGoalFields.tsx'
import { ExperimentRuleFields } from './ExperimentRuleFields.tsx'
import { ExperimentShareFields } from './ExperimentShareFields.tsx'
import {
  type ApiExperiment,
  addExperimentVersion,
  createExperiment,
  createVersionForm,
  EXPERIMENT_POINTER,
  findMessageExperiment,
  MAX_EXPERIMENT_VERSIONS,
  MIN_EXPERIMENT_VERSIONS,
  versionOwnContent,
} from './experiment.ts'
import styles from './MessageVersions.module.css'
import { findExperimentObstacles } from './obstacles.ts'
import { versionTexts } from './texts.ts'

interface Props {
  channel: MessageChannelSpec
  form: FormState<EditedMessage>
  isReadOnly: boolean
  /** The id of the version that is open, as the address has it. */
  version: string | undefined
  onVersion(id: string | undefined): void
}

/** Index of the open version of an experiment: the first, unless the address specifies another. */
export const findOpenVersionIndex = ({ versions }: ApiExperiment, id: string | undefined): number =>
  Math.max(
    versions.findIndex((candidate) => candidate.id === id),
    0,
  )

/** Warns about obstacles that the service would refuse. */
function ObstacleList({ channel, message }: { channel: MessageChannelSpec; message: EditedMessage }) {
  const t = useTranslator(versionTexts)
  const audience = useMessageAudience(channel, message)
  const obstacles = findExperimentObstacles(channel, message, audience.data?.net)
  return obstacles.map(({ key, isFault, values }) => (
    <p key={key} role={isFault ? 'alert' : 'status'} className={styles['obstacle']} data-fault={isFault || undefined}>
      {t(key, values)}
    </p>
  ))
}

function VersionChoice({ form, isReadOnly, experiment, index, onVersion }: Props & VersionSelection) {
  const t = useTranslator(versionTexts)
  const { versions } = experiment
  const versionsPointer = `${EXPERIMENT_POINTER}/versions`
  return (
    <div className={styles['line']}>
      <SegmentedControl
        size="xs"
        aria-label={t('version')}
        data={versions.map(({ id }) => ({ value: id, label: t('versionOf', { version: id.toUpperCase() }) }))}
        value={versions[index]!.id}
        onChange={onVersion}
      />
      {!isReadOnly && versions.length < MAX_EXPERIMENT_VERSIONS && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            const nextVersions = addExperimentVersion(versions)
            form.set(versionsPointer, nextVersions)
            onVersion(nextVersions.at(-1)!.id)
          }}
        >
          {t('addVersion')}
        </Button>
      )}
      {!isReadOnly && versions.length > MIN_EXPERIMENT_VERSIONS && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={() => {
            const previousForm = form.value
            form.set(versionsPointer, versions.toSpliced(index, 1))
            onVersion(undefined)
            showToast(t('removed', { version: versions[index]!.id.toUpperCase() }), () => form.change(previousForm))
          }}
        >
          {t('removeVersion', { version: versions[index]!.id.toUpperCase() })}
        </Button>
      )}
    </div>
  )
}

interface VersionSelection {
  experiment: ApiExperiment
  index: number
}

/** One version: its share, and what it has in place of the campaign's content. */
function VersionFields({ channel, form, isReadOnly, experiment, index }: Props & VersionSelection) {
  const t = useTranslator(versionTexts)
  const version = experiment.versions[index]!
  const { Fields } = channel.versions!
  const versionPointer = `${EXPERIMENT_POINTER}/versions/${index}`
  const ownMembers = Object.keys(versionOwnContent(version))
  return (
    <FieldGroup>
      <NumberField
        form={form}
        isReadOnly={isReadOnly}
        min={0}
        max={100}
        unit="%"
        at={`${versionPointer}/share`}
        label={t('share')}
        help={t('shareWhy')}
      />
      <div className={styles['line']}>
        <small>{t(ownMembers.length === 0 ? 'sameAsCampaign' : 'ownContent')}</small>
        {ownMembers.length > 0 && !isReadOnly && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => form.set(versionPointer, { id: version.id, share: version.share })}
          >
            {t('backToCampaign')}
          </Button>
        )}
      </div>
      <Fields key={version.id} form={createVersionForm(channel, form, index) as never} isReadOnly={isReadOnly} />
    </FieldGroup>
  )
}

/** Versions of a campaign against each other: their contents and shares, who is held out, and how it is decided. */
export function MessageVersions(props: Props) {
  const { channel, form, isReadOnly, version, onVersion } = props
  const t = useTranslator(versionTexts)
  const experiment = findMessageExperiment(form.value)
  if (!experiment)
    return (
      <>
        <EmptyState title={t('empty')}>{t('emptyWhy')}</EmptyState>
        {!isReadOnly && (
          <div>
            <Button variant="default" onClick={() => form.set(EXPERIMENT_POINTER, createExperiment())}>
              {t('begin')}
            </Button>
          </div>
        )}
      </>
    )
  const versionSelection = { ...props, experiment, index: findOpenVersionIndex(experiment, version) }
  return (
    <>
      <ObstacleList channel={channel} message={form.value} />
      <ExperimentShareFields channel={channel} message={form.value} experiment={experiment} />
      <VersionChoice {...versionSelection} />
      <VersionFields {...versionSelection} />
      <ExperimentRuleFields channel={channel} form={form} isReadOnly={isReadOnly} experiment={experiment} />
      <ExperimentGoalFields form={form} isReadOnly={isReadOnly} experiment={experiment} />
      {!isReadOnly && (
        <div>
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              form.set(EXPERIMENT_POINTER, null)
              onVersion(undefined)
              showToast(t('withoutDone'), () => form.set(EXPERIMENT_POINTER, experiment))
            }}
          >
            {t('without')}
          </Button>
        </div>
      )}
    </>
  )
}
