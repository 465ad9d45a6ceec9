import { Modal } from '@mantine/core'
import { accountId } from '../../api/client.ts'
import { readCurrentUser, useCurrentUser } from '../../api/me.ts'
import type { ReauthenticationPrompt } from '../../api/reauthentication.ts'
import { ReauthenticationForm } from '../../screens/sign-in/ReauthenticationForm.tsx'
import { SignInForm } from '../../screens/sign-in/SignInForm.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { layoutTexts } from '../texts.ts'

/** Another person may not go on with what the first one began. */
async function continueAs(previousUserId: string, answer: ReauthenticationPrompt['answer']): Promise<void> {
  const { person } = await readCurrentUser()
  if (person.id === previousUserId) answer(true)
  else location.assign(accountId === null ? '/console/' : `/console/${accountId}/`)
}

/** Asks for what requests wait for: a new sign-in, or the password once more. */
export default function ReauthenticationDialog({ asked: { gate, answer } }: { asked: ReauthenticationPrompt }) {
  const t = useTranslator(layoutTexts)
  const { person } = useCurrentUser()
  const isSessionOver = gate === 'session'
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      size={400}
      title={t(isSessionOver ? 'sessionOver' : 'confirmAgain')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('giveUp') }}
    >
      <p style={{ marginBottom: 16, color: 'var(--ink-2)' }}>
        {t(isSessionOver ? 'sessionOverWhy' : 'confirmAgainWhy')}
      </p>
      {isSessionOver ? (
        <SignInForm email={person.email} onDone={() => void continueAs(person.id, answer)} />
      ) : (
        <ReauthenticationForm hasPasskey={person.secondFactor === 'passkey'} onDone={() => answer(true)} />
      )}
    </Modal>
  )
}
