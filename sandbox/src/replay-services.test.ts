import { testReplay } from '../testing/replay.ts';

testReplay('services');
