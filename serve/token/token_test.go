package token_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/token"
)

func keyPEM(t *testing.T, bits int) []byte {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
}

func issuer(t *testing.T, o token.Options) *token.Issuer {
	t.Helper()
	i, err := token.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestATokenSaysWhomItIsForInTheClaimsOfThePythonService(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	for name, key := range map[string][]byte{"signed": keyPEM(t, 2048), "unsigned": nil} {
		i := issuer(t, token.Options{KeyPEM: key, TrustRoles: key == nil, Now: func() time.Time { return now }})
		pair, err := i.Issue(token.Subject{Channel: "c7", User: "ada", Operator: true})
		if err != nil {
			t.Fatal(name, err)
		}
		caller, err := i.Verify(pair.Access)
		if want := (serve.Caller{Channel: "c7", User: "ada", Operator: true, Expires: now.Add(time.Hour)}); err != nil || caller != want {
			t.Errorf("%s: %+v, %v; want %+v", name, caller, err, want)
		}
		var claims map[string]any
		part, _ := base64.RawURLEncoding.DecodeString(strings.Split(pair.Refresh, ".")[1])
		if err := json.Unmarshal(part, &claims); err != nil {
			t.Fatal(err)
		}
		for member, want := range map[string]any{"sub": "c7", "uid": "ada", "type": "refresh", "iss": "fastworkflow-api", "aud": "fastworkflow-client", "jti": "c7_1800000000_refresh",
			"iat": 1.8e9, "exp": 1.8e9 + 30*24*3600} {
			if claims[member] != want {
				t.Errorf("%s: %s is %v, want %v", name, member, claims[member], want)
			}
		}
		next, err := i.Refresh(pair.Refresh)
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err := i.Verify(next.Access); err != nil {
			t.Errorf("%s: a refreshed token: %v", name, err)
		}
	}
}

func TestTokensThatAreNotOursAreRefused(t *testing.T) {
	key := keyPEM(t, 2048)
	now := time.Unix(1_800_000_000, 0)
	clock := func() time.Time { return now }
	i := issuer(t, token.Options{KeyPEM: key, Now: clock})
	open := issuer(t, token.Options{Now: clock})
	subject := token.Subject{Channel: "c7"}
	pair, _ := i.Issue(subject)
	forged, _ := issuer(t, token.Options{KeyPEM: keyPEM(t, 2048), Now: clock}).Issue(subject)
	unsigned, _ := open.Issue(subject)
	old, _ := issuer(t, token.Options{KeyPEM: key, Now: func() time.Time { return now.Add(-2 * time.Hour) }}).Issue(subject)
	private, _ := jwt.ParseRSAPrivateKeyFromPEM(key)
	public, _ := x509.MarshalPKIXPublicKey(&private.PublicKey)
	sign := func(m jwt.SigningMethod, k any, c jwt.MapClaims) string {
		s, err := jwt.NewWithClaims(m, c).SignedString(k)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	good := func(change string, value any) jwt.MapClaims {
		c := jwt.MapClaims{"sub": "c7", "type": "access", "iss": "fastworkflow-api", "aud": "fastworkflow-client", "exp": now.Add(time.Hour).Unix()}
		if value == nil {
			delete(c, change)
		} else {
			c[change] = value
		}
		return c
	}
	parts := strings.Split(pair.Access, ".")
	other, _ := i.Issue(token.Subject{Channel: "c8"})
	cases := map[string]string{
		"signed with another key":       forged.Access,
		"not signed at all":             unsigned.Access,
		"expired":                       old.Access,
		"a refresh token":               pair.Refresh,
		"another token's claims":        parts[0] + "." + strings.Split(other.Access, ".")[1] + "." + parts[2],
		"the public key as HMAC secret": sign(jwt.SigningMethodHS256, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}), good("", "")),
		"no expiry":                     sign(jwt.SigningMethodRS256, private, good("exp", nil)),
		"no subject":                    sign(jwt.SigningMethodRS256, private, good("sub", nil)),
		"another audience":              sign(jwt.SigningMethodRS256, private, good("aud", "someone")),
		"no audience":                   sign(jwt.SigningMethodRS256, private, good("aud", nil)),
		"another issuer":                sign(jwt.SigningMethodRS256, private, good("iss", "someone")),
		"claims of another type":        sign(jwt.SigningMethodRS256, private, good("sub", 7)),
		"cut off":                       pair.Access[:len(pair.Access)-20],
		"empty":                         "",
		"no token":                      "hello",
		"huge":                          strings.Repeat("a", 1<<20),
		"control characters":            "a\x00b.c\nd.e",
	}
	for name, bearer := range cases {
		caller, err := i.Verify(bearer)
		if err == nil {
			t.Errorf("%s: accepted as %+v", name, caller)
			continue
		}
		if !errors.Is(err, serve.ErrToken) || !strings.HasPrefix(err.Error(), "Invalid or expired token: ") && !strings.HasPrefix(err.Error(), "Token missing required claim: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := i.Refresh(pair.Access); err == nil {
		t.Error("an access token was refreshed")
	}
	// Without a key the signature says nothing, expiry and type still do.
	if _, err := open.Verify(forged.Access); err != nil {
		t.Errorf("unverified: %v", err)
	}
	for _, bearer := range []string{old.Access, pair.Refresh, "hello"} {
		if _, err := open.Verify(bearer); err == nil {
			t.Errorf("unverified: %q was accepted", bearer)
		}
	}
}

func TestAnUnsignedRoleIsNotBelievedUnasked(t *testing.T) {
	forger := issuer(t, token.Options{TrustRoles: true})
	pair, err := forger.Issue(token.Subject{Channel: "c", Operator: true})
	if err != nil {
		t.Fatal(err)
	}
	careful := issuer(t, token.Options{})
	if caller, err := careful.Verify(pair.Access); err != nil || caller.Operator {
		t.Errorf("%+v, %v", caller, err)
	}
	next, err := careful.Refresh(pair.Refresh)
	if err != nil {
		t.Fatal(err)
	}
	if caller, err := forger.Verify(next.Access); err != nil || caller.Operator {
		t.Errorf("a refresh made an operator: %+v, %v", caller, err)
	}
}

func TestUnfitKeysAndSubjectsAreErrors(t *testing.T) {
	for name, key := range map[string][]byte{"short": keyPEM(t, 1024), "no key": []byte("hello")} {
		if _, err := token.New(token.Options{KeyPEM: key}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	i := issuer(t, token.Options{})
	for _, channel := range []string{"", strings.Repeat("a", 257)} {
		if _, err := i.Issue(token.Subject{Channel: channel}); err == nil {
			t.Errorf("a channel of %d bytes was accepted", len(channel))
		}
	}
	for _, days := range []int{0, -1, token.MaxDays + 1} {
		if _, err := i.Long(token.Subject{Channel: "c"}, days); err == nil {
			t.Errorf("%d days were accepted", days)
		}
	}
}

func FuzzVerify(f *testing.F) {
	i, err := token.New(token.Options{})
	if err != nil {
		f.Fatal(err)
	}
	pair, _ := i.Issue(token.Subject{Channel: "c"})
	f.Add(pair.Access)
	f.Add(pair.Refresh)
	f.Add("a.b.c")
	f.Fuzz(func(t *testing.T, bearer string) {
		if caller, err := i.Verify(bearer); err == nil && caller.Channel == "" {
			t.Errorf("%q is accepted without a channel", bearer)
		}
	})
}
