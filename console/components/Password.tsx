import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useText } from '../text/catalogue.ts'
import { partTexts } from './texts.ts'

/** A password, with the way to see it. */
export function Password(props: PasswordInputProps) {
  const t = useText(partTexts)
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }} {...props} />
}
