import { ContactField } from '../../components/ContactField.tsx'
import { useText } from '../../text/catalogue.ts'
import { messageTexts } from './texts.ts'

interface Props {
  value: string | null
  onChange(id: string | null): void
}

/** A contact whose values a preview shows. */
export function ContactChoice(props: Props) {
  const t = useText(messageTexts)
  return <ContactField {...props} size="xs" label={t('contact')} help={t('contactWhy')} />
}
