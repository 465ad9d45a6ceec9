import { Drawer } from '@mantine/core'
import { useText } from '../../text/catalogue.ts'
import { frameTexts } from '../texts.ts'
import { BarContent } from './Bar.tsx'

/** The left bar on a phone. */
export default function BarSheet({ onClose }: { onClose(): void }) {
  const t = useText(frameTexts)
  return (
    <Drawer
      opened
      onClose={onClose}
      size={280}
      padding={0}
      withCloseButton={false}
      aria-label={t('menu')}
      styles={{ body: { height: '100%' } }}
    >
      <BarContent onGo={onClose} />
    </Drawer>
  )
}
