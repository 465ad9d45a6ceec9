import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslator } from '../text/catalogue.ts'
import { componentTexts } from './texts.ts'

/** A password, with the way to see it. */
export function PasswordField(props: PasswordInputProps) {
  const t = useTranslator(componentTexts)
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }} {...props} />
}
