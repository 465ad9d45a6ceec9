import { Radio, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Confirm, TYPED_ABOVE } from '../../../components/Confirm.tsx'
import { tell } from '../../../layout/toasts.tsx'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import type { ChannelName } from '../names.ts'
import { reportTexts } from '../report/texts.ts'
import { decide, type Experiment, nameOf } from './experiment.ts'

interface Props {
  channel: ChannelName
  id: string
  name: string
  experiment: Experiment
  onDone(): Promise<void>
  onClose(): void
}

/** Asks which version the rest gets, with how many people that is; the name is typed where many are reached. */
export function Decide({ channel, id, name, experiment, onDone, onClose }: Props) {
  const t = useText(reportTexts)
  const format = useFormat()
  const queries = useQueryClient()
  const { versions, best, waiting, isClear } = experiment
  const [version, setVersion] = useState(best ?? versions[0]!.id)
  return (
    <Confirm
      title={t('decideTitle', { name })}
      action={t('decideAction', { version: nameOf(version) })}
      {...(waiting > TYPED_ABOVE && { name })}
      onConfirm={async () => {
        await decide(channel, id, version)
        tell(t('decideDone', { version: nameOf(version) }))
        await queries.invalidateQueries({ queryKey: ['report', channel, id] })
        await onDone()
      }}
      onClose={onClose}
    >
      <Radio.Group label={t('decideWhich')} value={version} onChange={setVersion}>
        <Stack gap={8} mt={8}>
          {versions.map(({ id: value, rate }) => (
            <Radio
              key={value}
              value={value}
              label={t('versionOf', { version: nameOf(value) })}
              description={rate === null ? t('noRate') : t('rateOf', { rate: format.percent(rate, 2) })}
            />
          ))}
        </Stack>
      </Radio.Group>
      <p>
        <strong>{t('decideWords', { count: waiting, version: nameOf(version) })}</strong> {t('decideFinal')}
      </p>
      {!isClear && <p>{t('notClear')}</p>}
    </Confirm>
  )
}
