import { ContactField } from '../../components/ContactField.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { messageTexts } from './texts.ts'

interface Props {
  value: string | null
  onChange(id: string | null): void
}

/** A contact whose values a preview shows. */
export function PreviewContactField(props: Props) {
  const t = useTranslator(messageTexts)
  return <ContactField {...props} size="xs" label={t('contact')} help={t('contactWhy')} />
}
