import './fonts.css';
import './ui/css/styles.css';
import { isDoorPath } from './data/door-address.ts';

/**
 * The entry of any address; small, so that it runs at once. The build makes documents that ask for their program
 * themselves for the addresses that are opened most.
 */
if (isDoorPath(location.pathname)) void import('./door.tsx');
else void import('./main.ts');
