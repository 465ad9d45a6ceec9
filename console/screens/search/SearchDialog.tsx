import { Modal } from '@mantine/core'
import { frameTexts } from '../../frame/texts.ts'
import { useText } from '../../text/catalogue.ts'

export default function SearchDialog({ onClose }: { onClose(): void }) {
  const t = useText(frameTexts)
  return <Modal opened onClose={onClose} title={t('search')} />
}
