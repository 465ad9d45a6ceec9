import { Radio, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog, TYPED_CONFIRM_THRESHOLD } from '../../../components/ConfirmDialog.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import type { MessageChannelName } from '../names.ts'
import { reportTexts } from '../report/texts.ts'
import { type ApiReportExperiment, decideReportExperiment, formatVersionName } from './experiment.ts'

interface Props {
  channel: MessageChannelName
  id: string
  name: string
  experiment: ApiReportExperiment
  onDone(): Promise<void>
  onClose(): void
}

/** Asks which version the rest gets, with how many people that is; the name is typed where many are reached. */
export function ExperimentDecision({ channel, id, name, experiment, onDone, onClose }: Props) {
  const t = useTranslator(reportTexts)
  const format = useLocaleFormat()
  const queryClient = useQueryClient()
  const { versions, best, waiting: waitingCount, isClear } = experiment
  const [chosenVersion, setVersion] = useState(best ?? versions[0]!.id)
  return (
    <ConfirmDialog
      title={t('decideTitle', { name })}
      action={t('decideAction', { version: formatVersionName(chosenVersion) })}
      {...(waitingCount > TYPED_CONFIRM_THRESHOLD && { name })}
      onConfirm={async () => {
        await decideReportExperiment(channel, id, chosenVersion)
        showToast(t('decideDone', { version: formatVersionName(chosenVersion) }))
        await queryClient.invalidateQueries({ queryKey: ['report', channel, id] })
        await onDone()
      }}
      onClose={onClose}
    >
      <Radio.Group label={t('decideWhich')} value={chosenVersion} onChange={setVersion}>
        <Stack gap={8} mt={8}>
          {versions.map(({ id: value, rate }) => (
            <Radio
              key={value}
              value={value}
              label={t('versionOf', { version: formatVersionName(value) })}
              description={rate === null ? t('noRate') : t('rateOf', { rate: format.percent(rate, 2) })}
            />
          ))}
        </Stack>
      </Radio.Group>
      <p>
        <strong>{t('decideWords', { count: waitingCount, version: formatVersionName(chosenVersion) })}</strong>{' '}
        {t('decideFinal')}
      </p>
      {!isClear && <p>{t('notClear')}</p>}
    </ConfirmDialog>
  )
}
