import { catalogue } from '../../text/catalogue.ts'
import en from './en.ts'

export const signInTexts = catalogue(en, () => import('./fr.ts'))
