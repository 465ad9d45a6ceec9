import { Modal } from '@mantine/core'
import { account } from '../../api/client.ts'
import { readMe, useMe } from '../../api/me.ts'
import type { Asked } from '../../api/reauthentication.ts'
import { ConfirmForm } from '../../screens/sign-in/ConfirmForm.tsx'
import { SignInForm } from '../../screens/sign-in/SignInForm.tsx'
import { useText } from '../../text/catalogue.ts'
import { frameTexts } from '../texts.ts'

/** Another person may not go on with what the first one began. */
async function goOn(own: string, answer: Asked['answer']): Promise<void> {
  const { person } = await readMe()
  if (person.id === own) answer(true)
  else location.assign(account === null ? '/console/' : `/console/${account}/`)
}

/** Asks for what requests wait for: a new sign-in, or the password once more. */
export default function GateDialog({ asked: { gate, answer } }: { asked: Asked }) {
  const t = useText(frameTexts)
  const { person } = useMe()
  const isOver = gate === 'session'
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      size={400}
      title={t(isOver ? 'sessionOver' : 'confirmAgain')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('giveUp') }}
    >
      <p style={{ marginBottom: 16, color: 'var(--ink-2)' }}>{t(isOver ? 'sessionOverWhy' : 'confirmAgainWhy')}</p>
      {isOver ? (
        <SignInForm email={person.email} onDone={() => void goOn(person.id, answer)} />
      ) : (
        <ConfirmForm hasPasskey={person.secondFactor === 'passkey'} onDone={() => answer(true)} />
      )}
    </Modal>
  )
}
