import { Modal } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import { LoadingSkeleton } from '../layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { MailView } from '../mail/MailView.tsx'
import type { useDesignFindings } from './model/use-findings.ts'
import { designTexts } from './texts.ts'

interface Props {
  rendered: ReturnType<typeof useDesignFindings>['rendered']
  onClose(): void
}

/** The design as readers have it: wide, on a phone, in the dark, as text. */
export function DesignPreview({ rendered: { data, error, refetch }, onClose }: Props) {
  const t = useTranslator(designTexts)
  return (
    <Modal opened onClose={onClose} title={t('preview')} size={800} closeButtonProps={{ 'aria-label': t('close') }}>
      {error ? (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <MailView html={data.html} text={data.text} title={t('preview')} height={600} />
      ) : (
        <LoadingSkeleton />
      )}
    </Modal>
  )
}
