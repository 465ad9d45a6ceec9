import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isCommonPassword } from './common-passwords.ts'

const EMAIL = 'ann.archer@shop.example'

suite('common passwords', () => {
  test('a common password is recognized with whatever people put around and into it', async () => {
    const common = [
      'password1234',
      'Password2026!',
      'P4ssw0rd!!!!',
      'p@$$w0rd-2026',
      '2026_Sunshine',
      '*** dragon ***',
      'i-love-you-1234',
      '1loveyou2026!',
      '5unsh1ne!!2026',
      'Pässwörd#1234',
      'passwordpassword',
      'qwertyqwerty',
      'qwertyuiop12',
      '1qaz2wsx3edc',
    ]
    for (const password of common) assert.equal(await isCommonPassword(password, EMAIL), true, password)
  })

  test('a password that is hardly a word is recognized', async () => {
    for (const password of [
      '123456789012',
      '2026-03-01-12',
      'abcd12345678',
      'aaaaaaaaaaaa',
      'abababababab',
      '!!!!!!!!!!!!',
      '!1!1!1abc!1!1!',
    ])
      assert.equal(await isCommonPassword(password, EMAIL), true, password)
  })

  test('the email and its name are recognized', async () => {
    for (const password of [EMAIL, 'Ann.Archer@Shop.example', 'annarcher2026', 'Ann.Archer.1', '4nn-4rch3r!!!'])
      assert.equal(await isCommonPassword(password, EMAIL), true, password)
  })

  test('sentences and random passwords are accepted, whatever common words are in them', async () => {
    const good = [
      'correct horse battery staple',
      'password for the blue door',
      'a sentence nobody guesses',
      'my own long password',
      'dragon sunshine monkey',
      'le chat boit du thé vert',
      '7h3 qu1ck br0wn f0x',
      'Kd8!x9Lm2#pQ',
      'f9a2b7c8d1e0',
      'zr4kq0wv7u1m',
      'пароль для синей двери',
      '正しい馬の電池ホッチキス留め',
      '1 purple elephant sings at 12',
    ]
    for (const password of good) assert.equal(await isCommonPassword(password, EMAIL), false, password)
  })
})
