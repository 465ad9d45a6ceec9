import { catalogue } from '../text/catalogue.ts'
import en from './en.ts'

export const partTexts = catalogue(en, () => import('./fr.ts'))
