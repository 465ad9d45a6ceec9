import { Drawer } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import { layoutTexts } from '../texts.ts'
import { SidebarContent } from './Bar.tsx'

/** The left bar on a phone. */
export default function SidebarSheet({ onClose }: { onClose(): void }) {
  const t = useTranslator(layoutTexts)
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
      <SidebarContent onGo={onClose} />
    </Drawer>
  )
}
