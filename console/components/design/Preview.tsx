import { Modal } from '@mantine/core'
import { useText } from '../../text/catalogue.ts'
import { Problem } from '../layout/Problem.tsx'
import { Skeleton } from '../layout/Skeleton.tsx'
import { MailView } from '../mail/MailView.tsx'
import type { useFindings } from './model/use-findings.ts'
import { designTexts } from './texts.ts'

interface Props {
  rendered: ReturnType<typeof useFindings>['rendered']
  onClose(): void
}

/** The design as readers have it: wide, on a phone, in the dark, as text. */
export function Preview({ rendered: { data, error, refetch }, onClose }: Props) {
  const t = useText(designTexts)
  return (
    <Modal opened onClose={onClose} title={t('preview')} size={800} closeButtonProps={{ 'aria-label': t('close') }}>
      {error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <MailView html={data.html} text={data.text} title={t('preview')} height={600} />
      ) : (
        <Skeleton />
      )}
    </Modal>
  )
}
