import { frameTexts } from '../../frame/texts.ts'
import { Page } from '../../parts/Page.tsx'
import { useText } from '../../text/catalogue.ts'

export function Contacts() {
  const t = useText(frameTexts)
  return <Page title={t('contacts')} />
}
