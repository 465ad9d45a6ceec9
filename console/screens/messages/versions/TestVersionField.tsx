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
  /** What no version alone means. */
  others: 'everyVersion' | 'ownOfCampaign'
}

/** Which version of an experiment is sent as a test; nothing without an experiment. */
export function TestVersionField({ message, value, onChange, others }: Props) {
  const t = useTranslator(versionTexts)
  const experiment = findMessageExperiment(message)
  if (!experiment) return null
  const versions = experiment.versions.map(({ id }) => ({
    value: id,
    label: t('versionOf', { version: id.toUpperCase() }),
  }))
  return (
    <Select
      maw={560}
      label={t('version')}
      allowDeselect={false}
      {...(others === 'everyVersion' && value !== null && { description: t('oneVersionWhy') })}
      data={[{ value: '', label: t(others) }, ...versions]}
      value={value ?? ''}
      onChange={(next) => onChange(next || null)}
    />
  )
}
