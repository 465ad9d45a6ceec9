import { catalogue } from '../../../text/catalogue.ts'
import en from './en.ts'

export const sendingTexts = catalogue(en, () => import('./fr.ts'))
