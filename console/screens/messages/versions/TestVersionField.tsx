import { Select } from '@mantine/core'
import { useTranslator } from '../../../text/catalogue.ts'
import type { EditedMessage } from '../write/channel.ts'
import { findMessageExperiment } from './experiment.ts'
import { versionTexts } from './texts.ts'

interface Props {
  message: EditedMessage
  /** Null: none alone. */
  value: string | null
  onChange(version: string | null): void
  /** Meaning of the empty choice. */
  others: 'everyVersion' | 'ownOfCampaign'
}

/** Selects the version of an experiment to send as a test; renders nothing without an experiment. */
export function TestVersionField({ message, value, onChange, others }: Props) {
  const t = useTranslator(versionTexts)
  const experiment = findMessageExperiment(message)
  if (!experiment) return null
  const versionChoices = experiment.versions.map(({ id }) => ({
    value: id,
    label: t('versionOf', { version: id.toUpperCase() }),
  }))
  return (
    <Select
      maw={560}
      label={t('version')}
      allowDeselect={false}
      {...(others === 'everyVersion' && value !== null && { description: t('oneVersionWhy') })}
      data={[{ value: '', label: t(others) }, ...versionChoices]}
      value={value ?? ''}
      onChange={(next) => onChange(next || null)}
    />
  )
}
