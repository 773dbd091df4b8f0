// Browsers can call each other (WebRTC), and no policy that they know forbids it: the page does without.

for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) Reflect.deleteProperty(globalThis, name);
