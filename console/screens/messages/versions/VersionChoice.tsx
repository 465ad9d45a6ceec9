import { Select } from '@mantine/core'
import { useText } from '../../../text/catalogue.ts'
import type { Message } from '../write/channel.ts'
import { experimentOf } from './experiment.ts'
import { versionTexts } from './texts.ts'

interface Props {
  message: Message
  /** Null: none alone. */
  value: string | null
  onChange(version: string | null): void
  /** What no version alone means. */
  others: 'everyVersion' | 'ownOfCampaign'
}

/** Which version of an experiment is sent as a test; nothing without an experiment. */
export function VersionChoice({ message, value, onChange, others }: Props) {
  const t = useText(versionTexts)
  const experiment = experimentOf(message)
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
